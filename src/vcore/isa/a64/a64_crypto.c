/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_crypto.c - AES, SHA, SM3 and SM4 instructions. (pmull is with the multiplies.)
 * Source: Arm ARM (DDI 0487), C4.1 "Cryptographic AES", "Cryptographic three-register SHA" and
 * the other classes of that name. */
#include "vcore/isa/a64/a64_table.h"

static void fix_aese(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->fuse = PMS_FUSE_AESE;
}

static void fix_aesmc(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 4, 0) == a64_bits(word, 9, 5))
		out->fuse = PMS_FUSE_AESMC;
}

static const struct a64_row aes_rows[] = {
	/* aese, aesd; aesmc, aesimc */
	{ 0x0001e000, 0x00004000, PMS_OP_CRYPTO_AES, 0, 0, V_DN, fix_aese },
	{ 0x0001e000, 0x00006000, PMS_OP_CRYPTO_AES, 0, 0, V_N, fix_aesmc },
};

static const struct a64_row sha_three_rows[] = {
	/* opcode [14:12]: sha1c, p, m, su0; sha256h, h2; sha256su1 */
	{ 0x00004000, 0x00000000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00006000, 0x00004000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00007000, 0x00006000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
};

static const struct a64_row sha_two_rows[] = {
	/* opcode [16:12]: sha1h; sha1su1; sha256su0 */
	{ 0x0001f000, 0x00000000, PMS_OP_CRYPTO_SHA, 0, 0, V_N, NULL },
	{ 0x0001f000, 0x00001000, PMS_OP_CRYPTO_SHA, 0, 0, V_DN, NULL },
	{ 0x0001f000, 0x00002000, PMS_OP_CRYPTO_SHA, 0, 0, V_DN, NULL },
};

/* sha512, sha3, sm3, sm4 */
static const struct a64_row sha3_rows[] = {
	/* eor3, bcax; sm3ss1; sm3tt1a, tt1b, tt2a, tt2b; xar */
	{ 0x00c08000, 0x00000000, PMS_OP_CRYPTO_SHA, 0, 0, V_NM | RV_A, NULL },
	{ 0x00e08000, 0x00400000, PMS_OP_CRYPTO_SHA, 0, 0, V_NM | RV_A, NULL },
	{ 0x00e0c000, 0x00408000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00e00000, 0x00800000, PMS_OP_CRYPTO_SHA, 0, 0, V_NM, NULL },
	/* sha512h, h2; su1; rax1 */
	{ 0x00e0f800, 0x00608000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00e0fc00, 0x00608800, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00e0fc00, 0x00608c00, PMS_OP_CRYPTO_SHA, 0, 0, V_NM, NULL },
	/* sm3partw1, w2; sm4ekey; sha512su0, sm4e */
	{ 0x00e0f800, 0x0060c000, PMS_OP_CRYPTO_SHA, 0, 0, V_DNM, NULL },
	{ 0x00e0fc00, 0x0060c800, PMS_OP_CRYPTO_SHA, 0, 0, V_NM, NULL },
	{ 0x00fff800, 0x00c08000, PMS_OP_CRYPTO_SHA, 0, 0, V_DN, NULL },
};

const struct a64_class a64_aes = A64_CLASS(0xfffe0c00, 0x4e280800, aes_rows, A64_LANES_ONE);
const struct a64_class a64_sha_three =
	A64_CLASS(0xffe08c00, 0x5e000000, sha_three_rows, A64_LANES_ONE);
const struct a64_class a64_sha_two = A64_CLASS(0xfffe0c00, 0x5e280800, sha_two_rows, A64_LANES_ONE);
const struct a64_class a64_sha3 = A64_CLASS(0xff000000, 0xce000000, sha3_rows, A64_LANES_ONE);
