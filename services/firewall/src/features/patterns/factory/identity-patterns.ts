import type { FactoryPatterns } from './factory-patterns.ts'

/** What responses should not give away, by the type that protected data types name. */
export const identityPatterns: FactoryPatterns = {
  'Credit Cards': {
    visa: {
      regex: /\b4[0-9]{3}(?:[ -]?[0-9]{4}){3}\b/,
      description: 'Visa, 16 digits.',
      algorithm: 'Credit Card Check Digit',
    },
    mastercard: {
      regex:
        /\b(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)(?:[ -]?[0-9]{4}){3}\b/,
      description: 'Mastercard, 16 digits.',
      algorithm: 'Credit Card Check Digit',
    },
    'american-express': {
      regex: /\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b/,
      description: 'American Express, 15 digits.',
      algorithm: 'Credit Card Check Digit',
    },
    discover: {
      regex: /\b(?:6011|64[4-9][0-9]|65[0-9]{2})(?:[ -]?[0-9]{4}){3}\b/,
      description: 'Discover, 16 digits.',
      algorithm: 'Credit Card Check Digit',
    },
    'diners-club': {
      regex: /\b3(?:0[0-5]|[68][0-9])[0-9][ -]?[0-9]{6}[ -]?[0-9]{4}\b/,
      description: 'Diners Club, 14 digits.',
      algorithm: 'Credit Card Check Digit',
    },
    jcb: {
      regex: /\b35(?:2[89]|[3-8][0-9])(?:[ -]?[0-9]{4}){3}\b/,
      description: 'JCB, 16 digits.',
      algorithm: 'Credit Card Check Digit',
    },
  },
  'Social Security Numbers': {
    'us-social-security-number': {
      regex:
        /\b(?:00[1-9]|0[1-9][0-9]|[1-57][0-9]{2}|8[0-9]{2}|6[0-57-9][0-9]|66[0-57-9])[ -](?:0[1-9]|[1-9][0-9])[ -](?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})\b/,
      description: 'A number that the United States give, with its two separators.',
    },
  },
  'Directory Indexing': {
    'index-of': { regex: /<(?:title|h1)>Index of \//, description: 'Apache, nginx and lighttpd.' },
    'directory-listing-for': {
      regex: /<(?:title|h1)>Directory listing for \//,
      description: 'Tomcat, and the server that comes with Python.',
    },
    'to-parent-directory': { regex: /\[To Parent Directory\]<\/a>/, description: 'IIS.' },
  },
  'Microsoft Errors': {
    'ole-db': {
      regex: /Microsoft OLE DB Provider for [a-z ]{1,40} error '[0-9a-f]{8}'/,
      description: 'OLE DB, with the provider and the number.',
    },
    odbc: { regex: /\[Microsoft\]\[ODBC [a-z0-9 .]{1,60}\]/, description: 'ODBC, with the driver.' },
    'vb-script': {
      regex: /Microsoft VBScript (?:runtime|compilation) error/,
      description: 'Active Server Pages.',
    },
    'asp-net': {
      regex: /Server Error in '[^'\n]{1,200}' Application/,
      description: 'The error page of ASP.NET.',
    },
    'sql-client': {
      regex: /\bSystem\.Data\.(?:SqlClient|OleDb|Odbc)\.[a-z]{1,40}Exception\b/,
      description: 'What .NET throws when SQL fails.',
    },
    'unclosed-quotation-mark': {
      regex: /Unclosed quotation mark (?:before|after) the character string/,
      description: 'SQL Server met a statement with a stray quote.',
    },
  },
  'Oracle Errors': {
    'ora-number': { regex: /\bORA-[0-9]{5}\b/, description: 'The database.' },
    'pls-number': { regex: /\bPLS-[0-9]{5}\b/, description: 'PL/SQL.' },
    'tns-number': { regex: /\bTNS-[0-9]{5}\b/, description: 'The network layer.' },
    jdbc: { regex: /\boracle\.jdbc\.[a-z]{1,40}\b/, description: 'A trace of the Java driver.' },
  },
  'PHP Errors': {
    'html-message': {
      regex: /<b>(?:Fatal error|Parse error|Warning|Notice|Deprecated)<\/b>:/,
      description: 'A message as PHP shows it in pages.',
    },
    'text-message': {
      regex: /\bPHP (?:Fatal error|Parse error|Warning|Notice|Deprecated): {1,4}/,
      description: 'A message as PHP writes it to logs.',
    },
    'file-and-line': {
      regex: / in <b>[^<\n]{1,200}\.php<\/b> on line <b>[0-9]{1,6}<\/b>/,
      description: 'The path of a script on the server.',
    },
  },
  'PostgreS Errors': {
    'query-failed': { regex: /\bPostgreSQL query failed\b/, description: 'A statement failed.' },
    'php-function': {
      regex: /\bpg_(?:connect|execute|exec|prepare|query|query_params|send_query)\(\)/,
      description: 'A message of PHP about PostgreSQL.',
    },
    'syntax-error': {
      regex: /\bERROR: {1,4}(?:syntax error|unterminated quoted string) at or near "/,
      description: 'A statement that could not be read.',
    },
    jdbc: { regex: /\borg\.postgresql\.[a-z.]{1,60}Exception\b/, description: 'A trace of the Java driver.' },
  },
  'MySQL Errors': {
    'syntax-error': {
      regex: /You have an error in your SQL syntax; check the manual/,
      description: 'A statement that could not be read, also by MariaDB.',
    },
    'php-function': {
      regex: /\bmysqli?_(?:connect|fetch_array|fetch_assoc|fetch_row|num_rows|query|result)\(\)/,
      description: 'A message of PHP about MySQL.',
    },
    'connection-lost': {
      regex: /\b(?:MySQL server has gone away|Lost connection to MySQL server)\b/,
      description: 'The connection to the database broke.',
    },
    jdbc: {
      regex: /\bcom\.mysql\.(?:cj\.)?jdbc\.[a-z.]{1,60}Exception\b/,
      description: 'A trace of the Java driver.',
    },
  },
  'AWS Meta Checks': {
    'access-key-id': {
      regex: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
      description: 'The public part of an access key.',
    },
    'secret-access-key': {
      regex: /"SecretAccessKey"\s{0,8}:\s{0,8}"[a-z0-9/+=]{40}"/,
      description: 'An access key of a role, as the metadata service of an instance gives it.',
    },
    'instance-identity': {
      regex: /"instanceId"\s{0,8}:\s{0,8}"i-[0-9a-f]{8,17}"/,
      description: 'What the metadata service says about an instance.',
    },
    'instance-profile': {
      regex: /"InstanceProfileArn"\s{0,8}:\s{0,8}"arn:aws/,
      description: 'The role of an instance.',
    },
  },
}
