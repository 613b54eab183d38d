export { clientCommand } from './main.ts'
