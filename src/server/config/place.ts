import { BlockList, isIP } from 'node:net'
import type { Place } from './server-config.ts'

/** A place as people write it: HOST:PORT; undefined where it is not one. */
export function placeOf(text: string): Place | undefined {
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

/** As it stands in an address. */
export const shownHost = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/** A list of addresses and networks such as 10.0.0.0/8. */
export class Networks {
  readonly #list = new BlockList()

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(bits), family)
    }
  }

  /** IPv4 addresses on a socket of IPv6 (::ffff:10.0.0.1) are found in networks of IPv4. */
  holds(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

const thisMachine = new Networks(['127.0.0.0/8', '::1'])

/** Whether only programs on this machine can reach it. */
export const isLoopback = (host: string): boolean => host === 'localhost' || thisMachine.holds(host)
