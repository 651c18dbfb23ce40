import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BannerKind } from './banner-kind.ts'

/** The warnings of an HTML banner's upload, for its advertiser and for moderators. */
export function BannerNotes({ clickLinks, externalHosts }: BannerKind) {
  const { t } = useTranslation(['creatives', 'common'])
  const notes = [
    clickLinks && t('creatives:banner.clickLinks'),
    externalHosts.length > 0 && t('creatives:banner.externalFiles', { hosts: externalHosts.join(', ') }),
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <div className="text-warning text-xs flex flex-col gap-1">
      {notes.map((note) => (
        <p key={note} className="flex gap-1.5">
          <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{note}</span>
        </p>
      ))}
      {/* A new tab: the form around it may have changes. */}
      <a
        href="/help/html-banners"
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-6 w-fit items-center underline underline-offset-2"
      >
        {t('creatives:banner.help')}
        <span className="sr-only">{t('common:newTab')}</span>
      </a>
    </div>
  )
}
