export { problemsOfEmail } from './check-configuration.ts'
export { type EmailConfiguration, EmailConfigurationSchema } from './configuration.ts'
export { createEmailService, type EmailService } from './service.ts'
