import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ProxyProcess, workerPids } from './proxy.ts'

/** Connections that the kernel gives to other processes before the test gives up. */
const connectionsMax = 200

/**
 * A connection to one of several proxies that listen at the same port of loopback: the kernel spreads connections, and says which
 * process has taken one. Linux only.
 */
export async function connectionTo(proxy: ProxyProcess, port: number): Promise<Socket> {
  for (let count = 0; count < connectionsMax; count++) {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    const inode = await inodeOfPeer(port, socket.localPort ?? 0)
    if (workerPids(proxy).some((pid) => socketsOf(pid).includes(`socket:[${inode}]`))) return socket
    socket.destroy()
  }
  throw new Error('the proxy takes no connections')
}

/** The other end's number, which is 0 until a process has accepted it. */
async function inodeOfPeer(port: number, clientPort: number): Promise<string> {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const ends = new RegExp(`^ *\\d+: \\w+:${hex(port)} \\w+:${hex(clientPort)} 01 (.*)$`, 'm')
  for (;;) {
    // tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode
    const inode = ends.exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1]?.trim().split(/ +/)[5]
    if (inode !== undefined && inode !== '0') return inode
    await pause(5)
  }
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      // It was closed meanwhile.
      return ''
    }
  })
}
