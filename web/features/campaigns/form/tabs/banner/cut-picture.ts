import type { Size } from '@/features/campaigns/form/creatives/measure'

export type Cut = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const QUALITIES = [0.92, 0.8, 0.6]

/** The part of a picture, drawn in this size, as PNG where that is small enough, else as JPEG. Null when nothing is small enough. */
export async function cutPicture(file: File, { x, y, width, height }: Cut, size: Size, mostBytes: number): Promise<File | null> {
  const bitmap = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  const drawing = canvas.getContext('2d')
  if (drawing === null) return null
  drawing.imageSmoothingQuality = 'high'
  drawing.drawImage(bitmap, x, y, width, height, 0, 0, size.width, size.height)
  bitmap.close()
  const encoded = (type: string, quality?: number) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  const png = file.type === 'image/jpeg' ? null : await encoded('image/png')
  const name = file.name.replace(/\.[^.]*$/, '')
  if (png !== null && png.size < mostBytes) return new File([png], `${name}.png`, { type: 'image/png' })
  for (const quality of QUALITIES) {
    const jpeg = await encoded('image/jpeg', quality)
    if (jpeg !== null && jpeg.size < mostBytes) return new File([jpeg], `${name}.jpg`, { type: 'image/jpeg' })
  }
  return null
}
