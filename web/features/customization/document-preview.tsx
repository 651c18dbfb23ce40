import { useLanguage } from '@/i18n/use-language'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { PREVIEWED_MAILS } from '#contract/white-label'
import { LoadError } from '@/components/load-error'
import { NativeSelect } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { useDebounced } from '@/lib/use-debounced'
import { unsavedOf, type BrandingValues } from './branding-values.ts'
import { customizationQueries, type PreviewedMail } from './customization-queries.ts'

const WAIT_MS = 600
type Shown = 'none' | 'document' | PreviewedMail

/** Wide windows have a column of their own for it: `2xl` of the form's grid. */
const atFirst = (): Shown => (matchMedia('(min-width: 96rem)').matches ? 'invoice' : 'none')

/** An invoice or a mail as it would look with what is typed. Narrower windows load nothing until one is chosen. */
export function DocumentPreview({ id }: { readonly id: string }) {
  const { t } = useTranslation('customization')
  const [shown, setShown] = useState<Shown>(atFirst)
  return (
    <section aria-label={t('documents.title')} className="flex flex-col gap-3 2xl:sticky 2xl:top-6">
      <h2 className="text-[15px]/6 font-semibold">{t('documents.title')}</h2>
      <NativeSelect
        aria-label={t('documents.choose')}
        value={shown}
        onChange={({ target }) =>
          setShown((['document', ...PREVIEWED_MAILS] as const).find((one) => one === target.value) ?? 'none')
        }
      >
        <option value="none">{t('documents.none')}</option>
        <option value="document">{t('documents.document')}</option>
        {PREVIEWED_MAILS.map((mail) => (
          <option key={mail} value={mail}>
            {t(`documents.mails.${mail}`)}
          </option>
        ))}
      </NativeSelect>
      {shown !== 'none' && (shown === 'document' ? <Document id={id} /> : <Mail id={id} template={shown} />)}
    </section>
  )
}

function useUnsaved() {
  const { control } = useFormContext<BrandingValues>()
  const typed = useWatch({ control }) as BrandingValues
  const values = useDebounced(typed, WAIT_MS, JSON.stringify(typed))
  return { values, language: useLanguage() }
}

function Document({ id }: { readonly id: string }) {
  const { t } = useTranslation('customization')
  const { values, language } = useUnsaved()
  const { data, error, refetch } = useQuery(customizationQueries.invoice(id, { ...unsavedOf(values), language }))
  const show = useCallback(
    (frame: HTMLIFrameElement) => {
      const url = URL.createObjectURL(data ?? new Blob())
      frame.src = url
      return () => URL.revokeObjectURL(url)
    },
    [data],
  )
  if (error !== null && data === undefined)
    return <LoadError title={t('documents.error')} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-[32rem]" />
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox, and the server made this one
    <iframe ref={show} title={t('documents.document')} className="border-border h-[32rem] w-full rounded-lg border bg-white" />
  )
}

function Mail({ id, template }: { readonly id: string; readonly template: PreviewedMail }) {
  const { t } = useTranslation('customization')
  const { values, language } = useUnsaved()
  const { invoicing: _, ...unsaved } = unsavedOf(values)
  const { data, error, refetch } = useQuery(customizationQueries.mail(id, { ...unsaved, language, template }))
  if (error !== null && data === undefined)
    return <LoadError title={t('documents.error')} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-96" />
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-muted-foreground text-xs">{t('documents.subject', { subject: data.subject })}</figcaption>
      <iframe
        sandbox=""
        srcDoc={data.html}
        title={t(`documents.mails.${template}`)}
        className="border-border h-[32rem] w-full rounded-lg border bg-white"
      />
    </figure>
  )
}
