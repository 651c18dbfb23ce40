declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  /** The stored content: a buffer or the stream of a request. */
  export type S3Object = {
    readonly bucket: string
    readonly key: string
    readonly content: AsyncIterable<Uint8Array> | Buffer
    readonly metadata: Readonly<Record<string, string>>
  }
  type Found = { readonly content: AsyncIterable<Uint8Array> | null; readonly range?: object }
  export type S3Store = {
    getObject: (bucket: string, key: string, options?: object) => Promise<Found | null>
    putObject: (object: S3Object) => Promise<{ readonly size: number; readonly md5: string }>
    readonly putMetadata: (bucket: string, key: string, metadata: Readonly<Record<string, string>>, md5: string) => Promise<void>
    readonly getResourcePath: (bucket: string, key: string, resource: string) => string
  }
  export type Options = {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly configureBuckets: readonly { readonly name: string }[]
  }
  export default class S3rver {
    constructor(options: Options)
    readonly store: S3Store
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
