import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { knownLanguage, LANGUAGES } from '#domain/kit/languages'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { useLanguage } from '@/i18n/use-language'
import { saveFile } from '@/lib/save-file'
import { invoiceQueries } from './invoice-queries.ts'

type PdfPreviewProps = { readonly id: string; readonly number: string | null }

/** The document in the browser's own viewer, in either language. */
export function PdfPreview({ id, number }: PdfPreviewProps) {
  const { t } = useTranslation('invoices')
  const [language, setLanguage] = useState(useLanguage())
  const { data, error, refetch } = useQuery(invoiceQueries.pdf(id, language))
  const show = useCallback(
    (frame: HTMLIFrameElement) => {
      const url = URL.createObjectURL(data ?? new Blob())
      frame.src = url
      return () => URL.revokeObjectURL(url)
    },
    [data],
  )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label={t('pdf.language')}
          value={language}
          className="w-36"
          onChange={({ target }) => setLanguage(knownLanguage(target.value) ?? language)}
        >
          {LANGUAGES.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <Button
          variant="outline"
          disabled={data === undefined}
          onClick={() => data !== undefined && saveFile(data, `${number ?? 'draft'}.pdf`)}
        >
          <Download aria-hidden />
          {t('pdf.save')}
        </Button>
      </div>
      {error !== null && data === undefined ? (
        <LoadError title={t('pdf.error')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-[70vh]" />
      ) : (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox, and the server made this one
        <iframe ref={show} title={t('pdf.title')} className="border-border h-[70vh] w-full rounded-lg border bg-white" />
      )}
    </div>
  )
}
