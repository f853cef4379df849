/* SPDX-License-Identifier: MIT */
/* A second QEMU plugin that only counts executed instructions, one callback each: the independent
 * tool that INST_RETIRED is held to. It counts an instruction when it starts, so one that faults is
 * counted here and does not retire. Writes the sum to the file named by out=FILE. */
#include <stdio.h>
#include <string.h>

#include "vcore/plugin/qemu_api.h"

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_exec_cb cb,
					    enum qemu_plugin_cb_flags flags, void *userdata);

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;

static _Atomic uint64_t count;

static void on_insn(unsigned vcpu, void *userdata)
{
	(void)vcpu, (void)userdata;
	count++;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), on_insn,
						       QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static char path[4096];

static void on_end(qemu_plugin_id_t id, void *userdata)
{
	(void)id, (void)userdata;
	FILE *file = fopen(path, "w");
	if (file) {
		fprintf(file, "%llu\n", (unsigned long long)count);
		fclose(file);
	}
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4) != 0)
		return -1;
	snprintf(path, sizeof(path), "%s", argv[0] + 4);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
