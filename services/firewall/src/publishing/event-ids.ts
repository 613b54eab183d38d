/** The sorts of events of proxies, of the rules they judge by, of services and of servers, in the system log. */
export const eventIds = {
  proxyThere: 42_001,
  proxySilent: 42_002,
  configurationRefused: 42_003,
  noRules: 42_004,
  serviceUp: 42_011,
  serviceDown: 42_012,
  servicePublished: 42_013,
  serviceWithheld: 42_014,
  serverUp: 42_021,
  serverDown: 42_022,
} as const
