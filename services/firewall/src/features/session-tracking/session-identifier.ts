import type { Kind } from '../../kinds/kind.ts'

/** Session tracking names it. The delimiters say where in the value the token begins and ends. */
export const sessionIdentifier = {
  name: 'session-identifier',
  title: 'Session Identifiers',
  description: 'Where a kind of application puts the token by which its sessions are told apart.',
  path: 'session-identifiers',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'token-name': { type: 'string', lengthMax: 256, required: true },
    'token-type': {
      type: 'choice',
      description:
        'What bears the token, and whether token-name is its whole name or how that begins or ends.',
      values: [
        'Cookie',
        'Cookie Prefix',
        'Cookie Suffix',
        'Parameter',
        'Parameter Prefix',
        'Parameter Suffix',
        'URL Path',
        'URL Path Prefix',
        'URL Path Suffix',
      ],
      required: true,
    },
    'end-delimiter': {
      type: 'string',
      lengthMax: 16,
      default: ';',
      description: 'What follows the token.',
    },
    'start-delimiter': {
      type: 'string',
      lengthMax: 16,
      default: '=',
      description: 'What stands between the name and the token.',
    },
  },
  factory: [
    factoryIdentifier('ASP-DOT-NET-session', 'Cookie', 'ASP.NET_SessionId'),
    factoryIdentifier('ASPSESSIONID-session', 'Cookie Prefix', 'ASPSESSIONID'),
    factoryIdentifier('ColdFusion-session', 'Cookie', 'CFTOKEN'),
    factoryIdentifier('J2EE-JSESSIONID-Cookie-session', 'Cookie', 'JSESSIONID'),
    factoryIdentifier('J2EE-JSESSIONID-URL-session', 'URL Path', 'jsessionid'),
    factoryIdentifier('J2EE-session', 'Parameter', 'jsessionid'),
    factoryIdentifier('JWS-ID-session', 'Cookie', 'JWSESSIONID'),
    factoryIdentifier('PHP-BB-MYSQL-session', 'Cookie', 'phpbb2mysql_sid'),
    factoryIdentifier('PHPSESSID-session', 'Cookie', 'PHPSESSID'),
    factoryIdentifier('PHPSESSIONID-session', 'Cookie', 'PHPSESSIONID'),
    factoryIdentifier('SAP-session', 'Cookie Prefix', 'SAP_SESSIONID_'),
  ],
} as const satisfies Kind

function factoryIdentifier(name: string, tokenType: string, tokenName: string) {
  return { path: [name], fields: { 'token-type': tokenType, 'token-name': tokenName } }
}
