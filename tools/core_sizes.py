# SPDX-License-Identifier: MIT
"""Print the sizes in a core.json as a C header: the workloads take them from there."""
import json
import sys

LINE_BYTES = 64  # of every core that the model knows
SIZES = ('page_bytes', 'l1i_bytes', 'l1i_ways', 'l1d_bytes', 'l1d_ways', 'l2_bytes', 'slc_bytes',
         'l1i_tlb_entries', 'l1d_tlb_entries', 'l2_tlb_entries', 'ras_entries', 'btb_main_entries', 'btb_main_ways')


def main(path):
    with open(path, encoding='utf-8') as file:
        parameters = json.load(file)['parameters']
    print('/* SPDX-License-Identifier: MIT */')
    print(f'#define LINE_BYTES {LINE_BYTES}')
    for name in SIZES:
        print(f'#define {name.upper()} {parameters[name]["value"]}')


main(sys.argv[1])
