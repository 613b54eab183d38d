export { problemsOfAwareness } from './check-configuration.ts'
export { type AwarenessConfiguration, AwarenessConfigurationSchema } from './configuration.ts'
export {
  type AwarenessService,
  type AwarenessServiceDependencies,
  createAwarenessService,
} from './service.ts'
