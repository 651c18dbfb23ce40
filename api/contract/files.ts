import { endpoint } from './http.ts'
import { z } from './zod.ts'

export const storedFile = z.object({
  file_id: z.string(),
  file_url: z.string(),
  width: z.number(),
  height: z.number(),
  size: z.number(),
  content_type: z.string(),
})

/** Image banners; the file's own content decides what it is (campaign.md §5). */
export const uploadBanner = endpoint({
  id: 'file.upload2',
  method: 'POST',
  path: '/v1/file/upload2',
  access: 'campaign.write',
  summary: 'Upload an image banner of the given size, or larger with the same aspect ratio',
  query: z.object({
    width: z.coerce.number().int().min(1).max(4000),
    height: z.coerce.number().int().min(1).max(4000),
    space_id: z.string().optional(),
  }),
  body: 'multipart',
  output: storedFile,
})

export const readFile = endpoint({
  id: 'file.cache',
  method: 'GET',
  path: '/v1/file/cache/:id',
  access: 'public',
  summary: 'A stored file, by its unguessable id',
  params: z.object({ id: z.string() }),
  output: z.unknown(),
  raw: true,
})

export const FILE_ENDPOINTS = [uploadBanner, readFile]
