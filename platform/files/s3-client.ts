import type { S3Place } from './s3-url.ts'

type Limits = { readonly silenceMs: number; readonly attempts: number }

/** A client of the SDK, which is loaded here, so that products without S3 do not load it. */
export async function openS3({ endpoint, region, pathStyle }: S3Place, { silenceMs, attempts }: Limits) {
  // Its seven lines about Node.js 20: the start has one of its own.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const commands = await import('@aws-sdk/client-s3')
  const client = new commands.S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: silenceMs, socketTimeout: silenceMs },
    // The SDK's own checksums come as trailers that some S3-compatible servers store as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, commands }
}
