import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** File systems that other machines may have mounted too, by the number that statfs(2) gives them. */
const kinds: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB2
  0xff534d42, // CIFS
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0xaad7aaea, // PanFS
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x01021997, // 9P
  0x65735546, // FUSE: sshfs and others
  0x01161970, // GFS2
  0x7461636f, // OCFS2
])

/**
 * Whether a file is, or would be, on a disk that other machines write to as well. There SQLite's write-ahead log is
 * not safe: its index is memory that only processes of one machine share.
 */
export function isOnNetwork(path: string): boolean {
  try {
    return kinds.has(statfsSync(path).type)
  } catch {
    const parent = dirname(path)
    return parent !== path && isOnNetwork(parent)
  }
}
