import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../firewall/proxy.ts'
import { newFolder } from '../programs/server.ts'
import { startApplication } from './application-process.ts'

/** What opens the notebooks. */
export const notebookPassword = 'correct horse'

/** The name by which browsers know the notebooks; every browser takes it for loopback. */
export const notebookHost = 'notebooks.localhost'

/** A Jupyter Notebook of its own, without notebooks, whose clients come through a proxy. @returns its port on loopback */
export async function notebookServer(): Promise<number> {
  const folder = newFolder()
  const notebooks = join(folder, 'notebooks')
  mkdirSync(notebooks)
  const port = await freePort()
  const salt = 'salt'
  const digest = createHash('sha256').update(`${notebookPassword}${salt}`).digest('hex')
  await startApplication({
    command: '/usr/bin/jupyter-notebook',
    argv: [
      '--no-browser',
      '--allow-root',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--port-retries=0',
      `--notebook-dir=${notebooks}`,
      `--NotebookApp.password=sha256:${salt}:${digest}`,
      `--NotebookApp.local_hostnames=${notebookHost}`,
    ],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/login`,
    folder,
  })
  return port
}
