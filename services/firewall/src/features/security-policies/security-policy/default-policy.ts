import type { FactoryObject } from '../../../kinds/kind.ts'

/*
 * The policy that services have unless somebody chooses another one. The rules judge; the limits here are what ordinary requests
 * hardly ever meet, so that a service can be Active with it. Each value has its reason in docs/decisions/firewall-default-policy.md.
 */

/** Those of HTTP, WebDAV, CalDAV and their extensions. Not TRACE, CONNECT, TRACK and DEBUG, which no application needs. */
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'MKCALENDAR',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'REPORT',
  'SEARCH',
  'ACL',
  'BIND',
  'UNBIND',
  'REBIND',
  'ORDERPATCH',
  'LINK',
  'UNLINK',
  'MERGE',
  'CHECKOUT',
  'CHECKIN',
  'UNCHECKOUT',
  'UPDATE',
  'LABEL',
  'MKACTIVITY',
  'MKWORKSPACE',
  'PURGE',
  'NOTIFY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
]

/** Files that widespread servers run when somebody asks for them, by extension. */
const runByServers = [
  ...['php', 'php3', 'php4', 'php5', 'php7', 'php8', 'pht', 'phtm', 'phtml', 'phar'],
  ...['jsp', 'jspx', 'jspf', 'jspa', 'war'],
  ...['asp', 'aspx', 'asa', 'asax', 'ascx', 'ashx', 'asmx', 'shtml', 'shtm'],
  ...['cfm', 'cfml', 'cfc', 'cgi', 'htaccess', 'htpasswd'],
]

/** Those of which applications tell their clients what is wrong in the body of the answer. */
const statusesOfClients = Array.from({ length: 52 }, (_, index) => String(400 + index))

/** The policy of services that name no other one. What is not said here is the default of the field. */
export const defaultPolicy: FactoryObject = {
  path: ['default'],
  sections: {
    cloaking: { 'return-codes-to-exempt': statusesOfClients },
    'cookie-security': { 'tamper-proof-mode': 'None' },
    'parameter-protection': {
      'denied-metacharacters': '%00%04%08%7f',
      'file-upload-extensions': ['*', ...runByServers.map((extension) => `!${extension}`)],
      'file-upload-mime-types': ['*'],
      'maximum-parameter-value-length': 0,
      'maximum-upload-file-size': 51_200,
    },
    'request-limits': {
      'max-cookie-name-length': 512,
      'max-cookie-value-length': 8192,
      'max-header-name-length': 128,
      'max-header-value-length': 32_768,
      'max-number-of-cookies': 200,
      'max-number-of-headers': 128,
      'max-query-length': 32_768,
      'max-request-length': 65_536,
      'max-request-line-length': 49_152,
      'max-url-length': 16_384,
    },
    'url-protection': {
      'allowed-content-types': ['*'],
      'allowed-methods': methods,
      'max-content-length': 0,
      'max-parameters': 1024,
      'maximum-parameter-name-length': 1024,
      'maximum-upload-files': 1024,
    },
  },
}
