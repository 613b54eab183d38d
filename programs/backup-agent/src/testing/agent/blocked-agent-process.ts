/**
 * An agent some of whose threads wait for ever, as they do for a file system that does not answer: here for somebody to write to a pipe.
 * The pipe is that in the environment.
 */
import { open } from 'node:fs'
import { agentCommand } from '../../command.ts'

const pipe = process.env.PALISADE_TEST_PIPE
if (pipe === undefined) throw new Error('PALISADE_TEST_PIPE is missing')
for (let count = 0; count < 2; count++) open(pipe, 'r', () => {})
process.exitCode = await agentCommand(process.argv.slice(2))
