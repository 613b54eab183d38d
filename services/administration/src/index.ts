export { type AdministrationConfiguration, AdministrationConfigurationSchema } from './configuration.ts'
export type { FirstOwner } from './operators/operators.ts'
export { type AdministrationServiceDependencies, createAdministrationService } from './service.ts'
