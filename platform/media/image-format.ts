/** What an image's content type is called on the wire: the numbers exchanges and the delivery API know formats by. */
export const FORMAT_KEYS = {
  'image/png': 1,
  'image/jpeg': 2,
  'image/gif': 3,
  'image/svg+xml': 4,
  'image/x-icon': 5,
  'image/webp': 6,
} as const

/** Key of an image format by its content type; null for what is no image. */
export const formatKey = (contentType: string): number | null =>
  Object.hasOwn(FORMAT_KEYS, contentType) ? FORMAT_KEYS[contentType as keyof typeof FORMAT_KEYS] : null
