import { readFileSync } from 'node:fs'

/**
 * Debian's Core Rule Set and recommended settings, which are for ModSecurity 2, as version 3 takes them; blocking, and without an
 * audit log.
 */
export function rulesForModSecurity3(): string {
  const settings = readFileSync('/etc/modsecurity/modsecurity.conf-recommended', 'utf8')
    .replace(/^SecRequestBodyInMemoryLimit .*$/m, '')
    .replaceAll('SecUnicodeMapFile ', 'SecUnicodeMapFile /etc/modsecurity/')
  return `${settings}
SecRuleEngine On
SecAuditEngine Off
Include /etc/modsecurity/crs/crs-setup.conf
Include /usr/share/modsecurity-crs/rules/*.conf
`
}
