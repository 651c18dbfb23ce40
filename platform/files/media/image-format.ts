/** Wire numbers of image content types, as exchanges and the delivery API use them. */
export const FORMAT_KEYS = {
  'image/png': 1,
  'image/jpeg': 2,
  'image/gif': 3,
  'image/svg+xml': 4,
  'image/x-icon': 5,
  'image/webp': 6,
} as const

/** Key of an image format by its content type; null for other types. */
export const formatKey = (contentType: string): number | null =>
  Object.hasOwn(FORMAT_KEYS, contentType) ? FORMAT_KEYS[contentType as keyof typeof FORMAT_KEYS] : null
