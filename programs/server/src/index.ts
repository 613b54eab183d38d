export { configCommand } from './config-command.ts'
export { serveCommand } from './main.ts'
export { rulesCommand } from './rules/rules-command.ts'
export { vaultCommand } from './vault/vault-command.ts'
