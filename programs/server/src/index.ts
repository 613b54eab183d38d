export { serveCommand } from './main.ts'
