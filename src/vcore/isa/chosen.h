/* SPDX-License-Identifier: MIT */
/* vcore/isa/chosen.h - the ISA of this build of the model. Each ISA has a plugin of its own, as
 * QEMU has an emulator for each. So the ISA's properties are constants in the hot loop. */
#ifndef PMS_VCORE_ISA_CHOSEN_H
#define PMS_VCORE_ISA_CHOSEN_H

#ifndef PMS_ISA_HEADER
#define PMS_ISA_HEADER "vcore/isa/a64/a64_isa.h"
#endif
#include PMS_ISA_HEADER

#endif
