import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers are sent as they are, bytes. */
const LEAST = 1024

/** Compresses answers of text, by what the caller accepts; a route opts out with `compress: false`. For routes that follow. */
export async function installCompression(app: FastifyInstance): Promise<void> {
  // Requests stay as they are: a small one may decompress to gigabytes. Brotli runs at quality 4, the plugin's own default.
  await app.register(compress, { globalDecompression: false, encodings: ['br', 'gzip'], threshold: LEAST })
}
