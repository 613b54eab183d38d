import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A FreeRADIUS server on loopback. */
export interface RadiusServer {
  /** Of UDP. */
  readonly port: number
  /** Where it answers without a Message-Authenticator, as it does by default before 3.2.5. */
  readonly unprovedPort: number
  stop(): void
}

/** @param users in the format of its file `users` */
export async function startRadiusServer(sharedSecret: string, users: string): Promise<RadiusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-radius-'))
  const [port, unprovedPort] = [await freeUdpPort(), await freeUdpPort()]
  writeFileSync(join(folder, 'dictionary'), '$INCLUDE /usr/share/freeradius/dictionary\n')
  writeFileSync(join(folder, 'users'), users)
  writeFileSync(join(folder, 'radiusd.conf'), configuration(folder, sharedSecret, port, unprovedPort))
  const child = spawn('/usr/sbin/freeradius', ['-d', folder, '-f', '-l', 'stdout'])
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      text += String(piece)
      if (text.includes('Ready to process requests')) resolve()
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`freeradius does not start: ${text}`)))
  })
  return {
    port,
    unprovedPort,
    stop: () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A port of UDP that nobody had a moment ago. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

function configuration(folder: string, sharedSecret: string, port: number, unprovedPort: number): string {
  const listen = (one: number) => `  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${one}
  }`
  return `logdir = ${folder}
run_dir = ${folder}
db_dir = ${folder}
libdir = /usr/lib/freeradius
security {
  allow_vulnerable_openssl = yes
}
modules {
  pap {
  }
  files {
    usersfile = ${folder}/users
  }
}
client proxies {
  ipaddr = 127.0.0.1
  secret = "${sharedSecret}"
  require_message_authenticator = yes
}
server default {
${listen(port)}
${listen(unprovedPort)}
  authorize {
    files
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
  post-auth {
    if (&Packet-Dst-Port == ${port}) {
      update reply {
        &Message-Authenticator := 0x00
      }
    }
  }
}
`
}
