import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../firewall/proxy.ts'
import { newFolder } from '../programs/server.ts'
import { startApplication } from './application-process.ts'

/** Whoever logs in to the applications. */
export const editor = { name: 'editor', password: 'correct horse' }

/** A wiki of its own, without pages. @returns its port on loopback */
export async function dokuwiki(): Promise<number> {
  const folder = newFolder()
  const configuration = join(folder, 'configuration')
  cpSync('/etc/dokuwiki', configuration, { recursive: true })
  for (const name of wikiFolders) mkdirSync(join(folder, 'data', name), { recursive: true })
  writeFileSync(
    join(configuration, 'local.php'),
    `<?php
$conf['title'] = 'Wiki';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['savedir'] = '${join(folder, 'data')}';
$conf['updatecheck'] = 0;
`,
  )
  const digest = createHash('md5').update(editor.password).digest('hex')
  writeFileSync(
    join(configuration, 'users.auth.php'),
    `${editor.name}:${digest}:Editor:editor@example.org:admin,user\n`,
  )
  const begin = join(folder, 'begin.php')
  writeFileSync(
    begin,
    `<?php
define('DOKU_MAIN_CONF', '${configuration}/');
define('DOKU_CONF', '${configuration}/');
`,
  )
  return serve('/usr/share/dokuwiki', ['-d', `auto_prepend_file=${begin}`])
}

const wikiFolders = [
  'attic',
  'cache',
  'index',
  'locks',
  'log',
  'media',
  'media_attic',
  'media_meta',
  'meta',
  'pages',
  'tmp',
]

/** A web front of databases that anybody may use, and a place for one. */
export async function adminer(): Promise<{ readonly port: number; readonly database: string }> {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'index.php'),
    `<?php
function adminer_object() {
  class OpenAdminer extends Adminer {
    function login($login, $password) { return true; }
  }
  return new OpenAdminer;
}
include '/usr/share/adminer/adminer.php';
`,
  )
  const database = join(folder, 'shop.db')
  writeFileSync(database, '')
  return { port: await serve(folder), database }
}

/** @returns the port */
async function serve(folder: string, settings: readonly string[] = []): Promise<number> {
  const port = await freePort()
  await startApplication({
    command: '/usr/bin/php',
    argv: [...settings, '-S', `127.0.0.1:${port}`, '-t', folder],
    environment: { PHP_CLI_SERVER_WORKERS: '4' },
    address: `http://127.0.0.1:${port}/`,
  })
  return port
}
