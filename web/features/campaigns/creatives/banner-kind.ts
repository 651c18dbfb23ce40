import { useQuery, useQueryClient } from '@tanstack/react-query'
import { WARNINGS_HEADER } from '#contract/files'
import { readBannerWarnings, type BannerWarnings } from '#domain/campaign/content/banner-warnings'
import type { StoredFile } from '#contract/files'

/** Properties found only in the banner file: whether it is a playable archive, and the warnings of its upload. */
export type BannerKind = BannerWarnings & { readonly html: boolean }

const keyOf = (fileId: string) => ['banner-kind', fileId]
const IMAGE: BannerKind = { html: false, clickLinks: false, externalHosts: [] }
const kindOf = (contentType: string | null, warnings: readonly string[]): BannerKind => ({
  html: contentType === 'application/zip',
  ...readBannerWarnings(warnings),
})

/** Reads them from the file once. The response of an upload already contains them. */
export function useBannerKind(fileId: string, url: string | null): BannerKind {
  const { data } = useQuery({
    queryKey: keyOf(fileId),
    enabled: url !== null,
    staleTime: Infinity,
    queryFn: async () => {
      const { headers } = await fetch(url ?? '', { method: 'HEAD' })
      return kindOf(headers.get('Content-Type'), (headers.get(WARNINGS_HEADER) ?? '').split(','))
    },
  })
  return data ?? IMAGE
}

export function useKnownKind() {
  const client = useQueryClient()
  return ({ file_id, content_type, warnings }: Pick<StoredFile, 'file_id' | 'content_type' | 'warnings'>) =>
    client.setQueryData<BannerKind>(keyOf(file_id), kindOf(content_type, warnings))
}
