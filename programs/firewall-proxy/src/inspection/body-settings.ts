/**
 * What inspection needs besides rules, of the proxy's own, so that it depends on no file that may be there or not: which bodies and
 * answers are read, and how much of them. The limits are those of ModSecurity's recommended settings, but for the number of arguments: lists of
 * numbers in JSON have more than 1,000 of them in few bytes, and how long text may be bounds what they cost. Which reader a body gets, and what
 * is wrong with one that cannot be read, is no matter of rules.
 */
export const bodySettings = `
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 131072
SecRequestBodyLimitAction Reject
SecRequestBodyJsonDepthLimit 512
SecArgumentsLimit 10000
SecUploadFileLimit 100
SecResponseBodyMimeType text/plain text/html text/xml
SecResponseBodyLimit 524288
SecResponseBodyLimitAction ProcessPartial
SecArgumentSeparator &
SecCookieFormat 0
`

/** Rules of ModSecurity's recommended settings about bodies that cannot be read: the proxy tells of those itself, and policies decide. */
export const withoutRulesOfBodies = 'SecRuleRemoveById 200002-200004'
