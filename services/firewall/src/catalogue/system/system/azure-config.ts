import type { Section } from '../../../kinds/kind.ts'

export const azureConfig = {
  title: 'Azure Configuration',
  description: '',
  fields: {
    'ad-client-id': { type: 'string' },
    'azure-cloud-type': {
      type: 'choice',
      values: ['Azure China Cloud', 'Azure German Cloud', 'Azure Public Cloud', 'Azure US Gov. Cloud'],
    },
    'azure-vmsss-name': { type: 'string' },
    'bootstrap-file-name': { type: 'string' },
    'client-id': { type: 'string' },
    'config-lan-ip': { type: 'yes-no' },
    'load-balancer-name': { type: 'string' },
    'login-choice': {
      type: 'choice',
      values: ['AD User/Password', 'Azure Managed Identity', 'Service Principal'],
      default: 'AD User/Password',
    },
    'managed-identity-client-id': { type: 'string' },
    'resource-group': { type: 'string' },
    'secret-key': { type: 'string', writeOnly: true },
    'storage-account': { type: 'string' },
    'storage-account-key': { type: 'string' },
    'storage-blob-name': { type: 'string' },
    'subscription-id': { type: 'string' },
    'tenant-id': { type: 'string' },
    'user-id': { type: 'string' },
    'user-password': { type: 'string', writeOnly: true },
  },
} as const satisfies Section
