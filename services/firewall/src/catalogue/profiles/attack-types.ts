/** The attack types that are looked for in the address and the body of a request. */
export const requestAttackTypes = [
  'Apache Struts attacks',
  'Apache struts attacks strict',
  'Cross-Site Scripting',
  'Cross-Site Scripting strict',
  'HTTP Specific Injection',
  'LDAP Injection',
  'OS Command Injection',
  'OS Command Injection strict',
  'Python-PHP attacks',
  'Remote File Inclusion',
  'Remote File Inclusion strict',
  'SQL Injection',
  'SQL Injection strict',
] as const

/** The attack types that are looked for in the value of a parameter. */
export const parameterAttackTypes = [
  ...requestAttackTypes,
  'Directory Traversal',
  'Directory Traversal strict',
  'Spam URL List',
] as const
