declare module 'snappyjs' {
  const snappy: {
    compress(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
    uncompress(bytes: Uint8Array<ArrayBuffer>, mostBytes?: number): Uint8Array<ArrayBuffer>
  }
  export default snappy
}
