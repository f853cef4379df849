/* SPDX-License-Identifier: MIT */
/* vcore/plugin/qemu_api.h - the part of QEMU's TCG plugin API, version 1, that the plugin uses.
 * Distributions do not package QEMU's header, so the few calls are declared here. QEMU's executable
 * exports them; the plugin exports the two names at the end.
 * Source: QEMU 7.2 documentation, "QEMU TCG Plugins", section "API". */
#ifndef PMS_VCORE_PLUGIN_QEMU_API_H
#define PMS_VCORE_PLUGIN_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QEMU_API_VERSION = 1 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* Only the version is read: what follows it differs between system and user emulation. */
struct qemu_info {
	const char *target_name;
	struct {
		int min, cur;
	} version;
};

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void (*qemu_simple_cb)(qemu_plugin_id_t id);
typedef void (*qemu_udata_cb)(qemu_plugin_id_t id, void *userdata);
typedef void (*qemu_vcpu_cb)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*qemu_tb_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_exec_cb)(unsigned vcpu, void *userdata);
typedef void (*qemu_mem_cb)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			    void *userdata);
typedef void (*qemu_syscall_cb)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
				uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
				uint64_t a7, uint64_t a8);
typedef void (*qemu_syscall_ret_cb)(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
				    int64_t result);

void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_tb_cb cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_syscall_cb cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_syscall_ret_cb cb);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_simple_cb cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_udata_cb cb, void *userdata);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_exec_cb cb,
					  enum qemu_plugin_cb_flags flags, void *userdata);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *userdata);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
/* Address in QEMU's own memory; NULL when it has none. */
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
/* Lowest address of the program's own code, where it is loaded. */
uint64_t qemu_plugin_start_code(void);

#define QEMU_EXPORT __attribute__((visibility("default")))
extern QEMU_EXPORT int qemu_plugin_version;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
				    char **argv);

#endif
