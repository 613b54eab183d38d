/** An agent as a program of its own, for tests that end it in all kinds of ways. */
import { agentCommand } from '../../command.ts'

process.exitCode = await agentCommand(process.argv.slice(2))
