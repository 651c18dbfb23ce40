import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ban, Plus, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhiteLabelOut } from '#contract/white-label'
import { DEFAULT_WHITE_LABEL } from '#domain/white-label/hosts'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { BrandingForm } from './branding-form.tsx'
import { customizationMutations, customizationQueries } from './customization-queries.ts'
import '@/i18n/texts/customization'

const NewWhiteLabel = lazy(async () => ({ default: (await import('./new-white-label.tsx')).NewWhiteLabel }))

const route = getRouteApi('/_app/admin/customization')

/** `/admin/customization`: name, logo, colours, links and rules of a white-label. */
export function CustomizationPage() {
  const { t } = useTranslation('customization')
  const me = useMe()
  const manages = can(me, 'whitelabel.manage')
  const { id: asked } = route.useSearch()
  const id = (manages ? asked : undefined) ?? me.whitelabel_id
  const { data, error, refetch } = useQuery(customizationQueries.one(id))
  return (
    <Page
      title={t('title')}
      description={t('description', { id })}
      layout="full"
      className="lg:h-auto lg:min-h-[calc(100dvh-var(--title-bar,0px))]"
      actions={manages ? <Administration id={id} whiteLabel={data} /> : undefined}
      failed={error === null || data !== undefined ? null : { title: t('error'), error, onRetry: () => void refetch() }}
    >
      {data?.suspended === true && (
        <div className="px-4 pt-6 lg:px-8">
          <Notice tone="warn">
            <Ban aria-hidden />
            <p>{t('suspended')}</p>
          </Notice>
        </div>
      )}
      {data === undefined ? <Loading /> : <BrandingForm key={id} whiteLabel={data} />}
    </Page>
  )
}

function Loading() {
  return (
    <div aria-hidden className="grid gap-8 px-4 pt-6 lg:px-8 xl:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)]">
      <div className="flex flex-col gap-6">
        <Skeleton className="h-80 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
      <Skeleton className="h-96 rounded-xl" />
    </div>
  )
}

/** System administrators choose, create, suspend and restore white-labels. */
function Administration({ id, whiteLabel }: { readonly id: string; readonly whiteLabel: WhiteLabelOut | undefined }) {
  const { t } = useTranslation(['customization', 'common'])
  const navigate = route.useNavigate()
  const { data } = useQuery(customizationQueries.list())
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState(false)
  const suspend = useMutation(customizationMutations.suspend(id))
  const restore = useMutation(customizationMutations.restore(id))
  const show = (next: string) => void navigate({ search: { id: next } })
  return (
    <>
      <NativeSelect
        aria-label={t('customization:choose')}
        value={id}
        className="w-56"
        onChange={({ target }) => show(target.value)}
      >
        {(data?.data ?? [{ id, name: whiteLabel?.name ?? id }]).map((one) => (
          <option key={one.id} value={one.id}>
            {`${one.name} (${one.id})`}
          </option>
        ))}
      </NativeSelect>
      {whiteLabel !== undefined && id !== DEFAULT_WHITE_LABEL && (
        <Button
          variant="outline"
          aria-disabled={suspend.isPending || restore.isPending}
          onClick={() => (whiteLabel.suspended ? restore.mutate() : setAsked(true))}
        >
          {whiteLabel.suspended ? <RotateCcw aria-hidden /> : <Ban aria-hidden />}
          {t(whiteLabel.suspended ? 'customization:restore' : 'customization:suspend')}
        </Button>
      )}
      <Button variant="outline" onClick={() => setCreating(true)}>
        <Plus aria-hidden />
        {t('customization:new.open')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('customization:suspendTitle', { name: whiteLabel?.name ?? '' })}
        text={t('customization:suspendText')}
        confirm={t('customization:suspend')}
        cancel={t('common:cancel')}
        tone="destructive"
        onConfirm={() => {
          setAsked(false)
          suspend.mutate()
        }}
        onCancel={() => setAsked(false)}
      />
      <Suspense>{creating && <NewWhiteLabel onClose={() => setCreating(false)} onCreated={show} />}</Suspense>
    </>
  )
}
