/* SPDX-License-Identifier: MIT */
#include "collect/vrun/guest_env.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char *const fixed[] = {
	"HOME=/",
	"LANG=C.UTF-8",
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"TERM=dumb",
};
enum { FIXED = sizeof(fixed) / sizeof(fixed[0]) };

/* Length of the name with its equals sign; 0 when there is none. */
static size_t name_length(const char *text)
{
	size_t n = strcspn(text, "=");
	return n && text[n] ? n + 1 : 0;
}

static int put(char **env, const char *text)
{
	size_t i = 0;
	while (env[i] && strncmp(env[i], text, name_length(text)) != 0)
		i++;
	char *copy = strdup(text);
	if (!copy)
		return -PMS_ENOMEM;
	free(env[i]);
	env[i] = copy;
	return 0;
}

int pms_guest_env(char *const *added, char ***out, struct pms_error *err)
{
	size_t count = 0;
	int rc = 0;
	while (added && added[count]) {
		if (!name_length(added[count]))
			return pms_fail(err, PMS_EINVAL, "\"%s\" is not NAME=value", added[count]);
		count++;
	}
	char **env = calloc(FIXED + count + 1, sizeof(*env));
	if (!env)
		return pms_no_memory(err);
	for (size_t i = 0; i < FIXED && !rc; i++)
		rc = put(env, fixed[i]);
	for (size_t i = 0; i < count && !rc; i++)
		rc = put(env, added[i]);
	if (rc) {
		pms_guest_env_free(env);
		return pms_no_memory(err);
	}
	*out = env;
	return 0;
}

void pms_guest_env_free(char **env)
{
	for (size_t i = 0; env && env[i]; i++)
		free(env[i]);
	free(env);
}
