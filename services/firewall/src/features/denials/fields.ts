/** What a rule of an administrator's does with a request that it is about. */
export const ruleActions = [
  'Process',
  'Allow',
  'Allow and Log',
  'Deny and Log',
  'Deny with no Log',
  'Temporary Redirect',
  'Permanent Redirect',
  'Send Internal response irrespective of mode',
] as const

/** What a client is answered whose request such a rule denies. */
export const denyResponses = ['Reset', 'Response Page', 'Temporary Redirect', 'Permanent Redirect'] as const

/** What becomes of the later requests of a client that was denied one. */
export const followUpActions = [
  'None',
  'Block Client-IP',
  'Challenge with CAPTCHA',
  'Block Client Fingerprint',
  'Tarpit Client',
] as const
