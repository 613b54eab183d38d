/*
 * The attack types that the firewall ships with, by the part of a request in which they are looked for. Those that
 * are called strict find more attacks, and take more harmless requests for one.
 */

/** Looked for in the path of a URL. */
export const urlAttackTypes = [
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

/** Looked for in the values of headers. */
export const headerAttackTypes = [
  ...urlAttackTypes,
  'Directory Traversal',
  'Directory Traversal strict',
] as const

/** Looked for in the values of parameters. */
export const parameterAttackTypes = [...headerAttackTypes, 'Spam URL List'] as const

/** What a new security policy looks for, in URLs and in parameters (recorded from a device, reference 5.5). */
export const attackTypesOfNewPolicies = [
  'Cross-Site Scripting',
  'SQL Injection',
  'OS Command Injection',
  'LDAP Injection',
  'Python-PHP attacks',
  'HTTP Specific Injection',
  'Apache Struts attacks',
] as const
