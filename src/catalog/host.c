/* SPDX-License-Identifier: MIT */
/* Choose the catalog for the cores of this host, or of a recording's host, by their identity
 * registers. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/name.h"
#include "base/number.h"
#include "base/regular.h"
#include "base/status.h"
#include "catalog/json.h"
#include "machine/identity.h"
#include "pmuscope/catalog.h"

enum { MOST_KINDS = 8 };

/* Whether the file has the number as text, "0xd40". */
static int has_number(json_t *object, const char *key, uint64_t number)
{
	const char *text = json_string_value(json_object_get(object, key));
	uint64_t value;
	return text && pms_number_read(text, "", &value) && value == number;
}

/* Whether a number matches the file's pattern of hexadecimal digits, "0x80000000db0000[89]0";
 * without a pattern any number matches. */
static int is_like(json_t *object, const char *key, uint64_t number)
{
	const char *pattern = json_string_value(json_object_get(object, key));
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)number);
	return !pattern || !fnmatch(pattern, text, 0);
}

/* Whether the codes of a file are for this core. */
static int is_core_of(json_t *codes, const struct pms_identity *id)
{
	return json_object_get(codes, "mvendorid") && is_like(codes, "mvendorid", id->vendor) &&
	       is_like(codes, "marchid", id->part) && is_like(codes, "mimpid", id->revision);
}

/* The names of a core: for people, and within a CPU's name. */
struct core_names {
	char title[64], name[64];
};

/* Whether a folder has codes for a RISC-V core. Without codes the folder still fits any RISC-V
 * core, for its event names. @core: receives the core's names; NULL: not wanted */
static int codes_match(const char *folder, const struct pms_identity *id, struct core_names *core)
{
	struct pms_json json = { 0 };
	char *path = NULL;
	int match = 0;
	if (asprintf(&path, "%s/codes", folder) < 0)
		return 0;
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && !match && (entry = readdir(dir));) {
		char *file = NULL;
		if (entry->d_name[0] == '.' || asprintf(&file, "%s/%s", path, entry->d_name) < 0)
			continue;
		if (!pms_json_load(file, &json, NULL))
			match = is_core_of(json.root, id);
		const char *title = json_string_value(json_object_get(json.root, "core"));
		if (match && core) {
			snprintf(core->title, sizeof(core->title), "%s", title ? title : "");
			snprintf(core->name, sizeof(core->name), "%.*s",
				 (int)strcspn(entry->d_name, "."), entry->d_name);
		}
		pms_json_release(&json);
		free(file);
	}
	if (dir)
		closedir(dir);
	free(path);
	return match;
}

/* Parse only the product's object, when it is near the start of the text. */
static json_t *find_product(const char *path)
{
	static const char key[] = "\"product_configuration\"";
	char text[8192];
	int fd = pms_regular_open(path);
	if (fd < 0)
		return NULL;
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	const char *at = strstr(text, key);
	if (!at)
		return NULL;
	at += sizeof(key) - 1;
	at += strspn(at, " \t\r\n");
	json_error_t why;
	bool no_memory;
	if (*at++ != ':')
		return NULL;
	return pms_json_read(at, strlen(at), JSON_DISABLE_EOF_CHECK, &why, &no_memory);
}

/* Load only what a specification says of its CPU. Reading it whole takes a hundred times as long,
 * and every specification is asked before a measurement starts. */
static json_t *load_product(const char *path)
{
	struct pms_json json = { 0 };
	json_t *product = find_product(path);
	if (!product && !pms_json_load(path, &json, NULL))
		product = json_incref(json_object_get(json.root, "product_configuration"));
	pms_json_release(&json);
	return product;
}

static int is_riscv(json_t *product)
{
	const char *text = json_string_value(json_object_get(product, "architecture"));
	return text && !strncmp(text, "rv", 2);
}

/* Returns how well the folder fits: 2 this core, 1 its architecture, 0 not at all. */
static int fit(const char *data, const char *cpu, const struct pms_identity *id)
{
	char *folder = NULL, *telemetry = NULL;
	int fits = 0;
	if (asprintf(&folder, "%s/cpus/%s", data, cpu) < 0)
		return 0;
	if (asprintf(&telemetry, "%s/telemetry.json", folder) < 0)
		telemetry = NULL;
	json_t *product = telemetry ? load_product(telemetry) : NULL;
	if (id->kind == PMS_IDENTITY_ARM)
		fits = has_number(product, "implementer", id->vendor) &&
				       has_number(product, "part_num", id->part)
			       ? 2
			       : 0;
	else if (is_riscv(product))
		fits = codes_match(folder, id, NULL) ? 2 : 1;
	json_decref(product);
	free(telemetry);
	free(folder);
	return fits;
}

/* Name the maker of an Arm core, by MIDR_EL1.Implementer. */
static const char *implementer(const struct pms_identity *id)
{
	static const struct {
		uint64_t code;
		const char *name;
	} rows[] = {
		{ 0x41, "Arm" },     { 0x42, "Broadcom" },  { 0x43, "Cavium" },
		{ 0x46, "Fujitsu" }, { 0x48, "HiSilicon" }, { 0x4e, "NVIDIA" },
		{ 0x50, "APM" },     { 0x51, "Qualcomm" },  { 0x53, "Samsung" },
		{ 0x56, "Marvell" }, { 0x61, "Apple" },	    { 0x66, "Faraday" },
		{ 0x69, "Intel" },   { 0x6d, "Microsoft" }, { 0x70, "Phytium" },
		{ 0xc0, "Ampere" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (id->kind == PMS_IDENTITY_ARM && rows[i].code == id->vendor)
			return rows[i].name;
	return NULL;
}

static int unknown(const struct pms_names *names, const struct pms_identity *id, const char *whose,
		   struct pms_error *err)
{
	const char *maker = implementer(id);
	int rc = pms_fail(
		err, PMS_ENAME, "there is no catalog of %s CPU%s%s (%s 0x%llx, %s 0x%llx)", whose,
		maker ? ", made by " : "", maker ? maker : "",
		id->kind == PMS_IDENTITY_ARM ? "implementer" : "mvendorid",
		(unsigned long long)id->vendor, id->kind == PMS_IDENTITY_ARM ? "part" : "marchid",
		(unsigned long long)id->part);
	char list[300] = "";
	for (size_t i = 0; i < names->count; i++)
		pms_name_append(list, sizeof(list), names->names[i]);
	pms_hint(err, "give its specification with --spec FILE, or one of these with --mcpu: %s",
		 list);
	return rc;
}

/* Find the folder that fits one core best. */
static int find(const char *data, const struct pms_names *names, const struct pms_identity *id,
		const char *whose, const char **cpu, struct pms_error *err)
{
	int best = 0;
	for (size_t i = 0; i < names->count && best < 2; i++) {
		int fits = fit(data, names->names[i], id);
		if (fits > best) {
			best = fits;
			*cpu = names->names[i];
		}
	}
	return best ? 0 : unknown(names, id, whose, err);
}

static int find_all(const char *data, const struct pms_names *names, const struct pms_identity *ids,
		    size_t n, const char *whose, const char **cpu, struct pms_error *err)
{
	const char *first = NULL;
	for (size_t i = 0; i < n; i++) {
		int rc = find(data, names, &ids[i], whose, cpu, err);
		if (rc)
			return rc;
		if (first && strcmp(first, *cpu) != 0) {
			rc = pms_fail(err, PMS_ENAME, "this host has CPUs of several kinds: %s, %s",
				      first, *cpu);
			pms_hint(err, "choose one with --mcpu");
			return rc;
		}
		first = *cpu;
	}
	return 0;
}

/* Append ":sifive-p550" where the folder has the core's codes, and all cores are of this kind. */
static void add_core(const char *data, const struct pms_identity *ids, size_t n, char *cpu,
		     size_t size)
{
	struct core_names core, first = { .name = "" };
	char *folder = NULL;
	size_t length = strlen(cpu), i = 0;
	if (asprintf(&folder, "%s/cpus/%s", data, cpu) < 0)
		return;
	for (; i < n && ids[i].kind == PMS_IDENTITY_RISCV && codes_match(folder, &ids[i], &core);
	     i++) {
		if (i && strcmp(core.name, first.name) != 0)
			break;
		first = core;
	}
	if (i == n && length + strlen(first.name) + 1 < size)
		snprintf(cpu + length, size - length, ":%s", first.name);
	free(folder);
}

/* Write the name of the CPU that all these cores are, for the host or a recording. */
static int name_of(const char *data, const struct pms_identity *ids, size_t n, const char *whose,
		   char *cpu, size_t size, struct pms_error *err)
{
	struct pms_names names = { 0 };
	char found[4096];
	const char *name = NULL;
	if (!n)
		return pms_fail(err, PMS_EHOST, "this host does not tell which CPU it has");
	int rc = data ? 0 : pms_data_dir(found, sizeof(found), err);
	if (!rc)
		rc = pms_catalog_cpus(data ? data : found, &names, err);
	if (!rc)
		rc = find_all(data ? data : found, &names, ids, n, whose, &name, err);
	if (!rc && (size_t)snprintf(cpu, size, "%s", name) >= size)
		rc = pms_fail(err, PMS_EINVAL, "the CPU's name is longer than its room");
	if (!rc)
		add_core(data ? data : found, ids, n, cpu, size);
	pms_names_free(&names);
	return rc;
}

int pms_catalog_is_of(const struct pms_catalog *catalog, const char *cpu)
{
	const struct pms_cpu *own = pms_catalog_cpu(catalog);
	size_t length = strcspn(cpu, ":");
	return !strcmp(own->name, cpu) ||
	       (!own->core && strlen(own->folder) == length && !strncmp(own->folder, cpu, length));
}

static const char host[] = "this host's";

int pms_catalog_host_cpu(const char *data, const char *root, char *cpu, size_t size,
			 struct pms_error *err)
{
	struct pms_identity ids[MOST_KINDS];
	size_t n = pms_identity_read(root ? root : "", ids, MOST_KINDS);
	return name_of(data, ids, n, host, cpu, size, err);
}

int pms_catalog_host_cpu_at(const char *data, const char *root, int number, char *cpu, size_t size,
			    struct pms_error *err)
{
	struct pms_identity id;
	size_t n = !pms_identity_of_cpu(root ? root : "", number, &id);
	return name_of(data, &id, n, host, cpu, size, err);
}

int pms_catalog_host_core(const struct pms_catalog *catalog, const char *root, int number,
			  char *core, size_t size)
{
	struct pms_identity id;
	struct core_names names;
	char data[4096], *folder = NULL;
	if (!pms_catalog_core_codes(catalog) || pms_catalog_cpu(catalog)->file ||
	    pms_identity_of_cpu(root ? root : "", number, &id) ||
	    pms_data_dir(data, sizeof(data), NULL) ||
	    asprintf(&folder, "%s/cpus/%s", data, pms_catalog_cpu(catalog)->folder) < 0)
		return -PMS_ENAME;
	int match = codes_match(folder, &id, &names);
	if (match)
		snprintf(core, size, "%s", names.title);
	free(folder);
	return match ? 0 : -PMS_ENAME;
}

int pms_catalog_recorded_cpu(const char *data, const char *cpuid, char *cpu, size_t size,
			     struct pms_error *err)
{
	struct pms_identity id;
	if (!pms_identity_parse(cpuid, &id))
		return pms_fail(err, PMS_EHOST, "the recording's CPU is %s: neither Arm nor RISC-V",
				cpuid[0] ? cpuid : "not told");
	return name_of(data, &id, 1, "the recording's", cpu, size, err);
}
