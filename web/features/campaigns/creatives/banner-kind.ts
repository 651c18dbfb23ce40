import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { storedFile } from '../../../../api/contract/files.ts'
import type { z } from '../../../../api/contract/zod.ts'

/** What only the file itself tells of a banner: whether it is an archive that plays, and whether it leads somewhere by itself. */
export type BannerKind = { readonly html: boolean; readonly clickLinks: boolean }

const keyOf = (fileId: string) => ['banner-kind', fileId]
const IMAGE: BannerKind = { html: false, clickLinks: false }

/** Asked of the file once; the answer of an upload knows it already. */
export function useBannerKind(fileId: string, url: string | null): BannerKind {
  const { data } = useQuery({
    queryKey: keyOf(fileId),
    enabled: url !== null,
    staleTime: Infinity,
    queryFn: async (): Promise<BannerKind> => {
      const answer = await fetch(url ?? '', { method: 'HEAD' })
      return { html: answer.headers.get('Content-Type') === 'application/zip', clickLinks: false }
    },
  })
  return data ?? IMAGE
}

export function useKnownKind() {
  const client = useQueryClient()
  return ({ file_id, content_type, warnings }: z.infer<typeof storedFile>) =>
    client.setQueryData<BannerKind>(keyOf(file_id), {
      html: content_type === 'application/zip',
      clickLinks: warnings.includes('clickLinks'),
    })
}

export const playerOf = (fileId: string) => `/v1/file/banner/${fileId}/index.html`
