import type { ChannelWay, SecretPlace } from '../config/channel-config.ts'

/** All that a channel cannot do without. */
export function secretsOf(way: ChannelWay): readonly SecretPlace[] {
  switch (way.type) {
    case 'console':
    case 'file':
      return []
    case 'slack':
    case 'teams':
      return [way.url]
    case 'webhook':
      return way.secret === null ? [way.url] : [way.url, way.secret]
    case 'email':
      return way.login === null ? [] : [way.login.password]
  }
}
