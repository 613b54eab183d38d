export { problemsOfFirewall } from './check-configuration.ts'
export { type FirewallConfiguration, FirewallConfigurationSchema } from './configuration.ts'
export { createFirewallService, type FirewallService, type FirewallServiceDependencies } from './service.ts'
