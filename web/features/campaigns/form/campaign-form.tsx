import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { get, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { CampaignType } from '#domain/campaign/content/options'
import type { StatusKey } from '#domain/campaign/status/status-keys'
import type { Campaign } from '#contract/campaign-body'
import { Later } from '@/components/later'
import { Page } from '@/components/page/page'
import { returnPath } from '@/session/return-path'
import { useCan } from '@/session/can'
import { ArchivedNotice } from './archived-notice.tsx'
import { whenIdle } from '@/lib/when-idle'
import { CampaignFormContext, FormBaseContext, useCampaignKit } from './campaign-form-context.ts'
import { FormKitContext } from '@/components/form/form-kit'
import { DraftOffer } from './draft/draft-offer.tsx'
import type { Draft } from './draft/local-draft.ts'
import { useDraft } from './draft/use-draft.ts'
import { createUploads } from '@/components/upload/uploads'
import type { StoredFile } from '#contract/files'
import { CampaignAbout, CampaignActions } from '../header/campaign-header.tsx'
import { ErrorSummary, type SummaryItem } from './error-summary.tsx'
import { focusField } from './focus-field.ts'
import { FormFooter } from './form-footer.tsx'
import { emptyForm, toForm } from './form-mapping.ts'
import { FormSections } from './form-sections.tsx'
import { formResolver, type RuleContext } from './form-resolver.ts'
import type { CampaignFormValues } from './form-schema.ts'
import { nextTab, tabsFor, type TabContext, type TabKey } from './form-tabs.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { isReviewedField, ReviewedMark } from './reviewed-mark.tsx'
import { preloadTabs, TabContent } from './tab-content.tsx'
import { NewerNotice, NewerVersion } from './newer/newer-version.tsx'
import { useFormBasis } from './use-form-basis.ts'
import { useFreeName } from './use-free-name.ts'
import { useReview } from './review/use-review.ts'
import { useFormSubmit } from './use-form-submit.ts'
import { useCampaignCurrency, useRuleContext } from './use-rule-context.ts'
import '@/i18n/texts/form'

const ReviewSheet = lazy(() => import('./review/review-sheet.tsx'))
const MergeDialog = lazy(() => import('./merge/merge-dialog.tsx'))

const ARCHIVED: StatusKey = 5

export type Copied = { readonly id: string; readonly values: CampaignFormValues }

type CampaignFormProps = {
  /** The campaign being edited, or the objective of a new one. */
  readonly base: Campaign | CampaignType
  /** Initial values when the new campaign is a copy. */
  readonly copyOf?: Copied | undefined
  readonly tab: TabKey
  readonly withLog: boolean
  /** The campaign is one of then, which nothing changes. */
  readonly past?: boolean
  /** Above the sections: status, moderation. */
  readonly header?: ReactNode
  readonly changeLog?: ReactNode
}

export function CampaignForm({ base, copyOf, tab: wanted, withLog, past = false, header, changeLog }: CampaignFormProps) {
  const { t } = useTranslation(['form', 'common'])
  const navigate = useNavigate()
  const router = useRouter()
  const campaign = typeof base === 'string' ? null : base
  const can = useCan()
  const canWrite = !past && can('campaign.write', campaign ?? undefined)
  const archived = campaign?.status_key === ARCHIVED
  const rules = useRuleContext(campaign)
  const currency = useCampaignCurrency(campaign)
  const form = useForm<CampaignFormValues, RuleContext>({
    resolver: formResolver,
    context: rules,
    defaultValues: copyOf?.values ?? (typeof base === 'string' ? emptyForm(base) : toForm(base)),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors } = form.formState
  const { basis, goOnFrom, takeNewer } = useFormBasis(form, base)
  const [startName] = useState(() => (typeof base === 'string' ? form.getValues('name') : null))
  useFreeName(form, startName)
  const keeps = copyOf === undefined && canWrite && !archived
  const draft = useDraft(form, keeps ? basis : null)
  const [goal, country] = useWatch({ control: form.control, name: ['goal', 'country'] })
  const zone = rules.zoneOf(country)
  const readsOwnerFields = can('owner-fields.read', campaign ?? undefined)
  const tabs = useMemo(
    (): TabContext => ({ readsOwnerFields, audio: goal === 'AUDIO_ADVERTISING', goal: goal !== '', withLog }),
    [readsOwnerFields, goal, withLog],
  )
  // A tab not available to this user or campaign opens the first tab that is always available (decisions G-096).
  const tab = tabsFor(tabs).some(({ key }) => key === wanted) ? wanted : 'basicInfo'
  const panel = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState<SummaryItem | null>(null)

  const [uploads] = useState(createUploads<StoredFile>)
  const uploading = useSyncExternalStore(uploads.subscribe, uploads.count)
  // Cancel running uploads on unmount.
  useEffect(() => () => uploads.cancelAll(), [uploads])

  useEffect(() => whenIdle(() => preloadTabs(tabs)), [tabs])

  const openTab = (next: TabKey) => void navigate({ to: '.', search: (previous) => ({ ...previous, tab: next }) })
  const go = (item: SummaryItem) => {
    if (item.tab !== null && item.tab !== tab) openTab(item.tab)
    setFocus(item)
  }
  const { mayPublish, review, checking } = useReview()
  const [comparing, setComparing] = useState(false)
  const { submit, pending, waiting, stopWaiting, found, stale, saved, closeStale } = useFormSubmit({
    form,
    base: basis,
    copyOf: copyOf?.id ?? null,
    tab,
    tabs,
    onFault: go,
    mayPublish,
    onSaved: (campaign, typed) => {
      draft.saved()
      goOnFrom(campaign, typed)
    },
  })

  const continueDraft = ({ on, values }: Draft) => {
    draft.taken()
    if (on === null) form.reset(values, { keepDefaultValues: true })
    else goOnFrom(on, values)
  }
  const answerOffer = (answer: () => void) => {
    answer()
    // The answered prompt is gone, and with it the focus.
    panel.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }

  const endMerge = () => {
    closeStale()
    setComparing(false)
  }

  // The field may be on a tab that is still rendering.
  useEffect(() => {
    if (focus === null || focus.field === null || (focus.tab ?? tab) !== tab || panel.current === null) return undefined
    return focusField(form, focus.field, panel.current, () => setFocus(null))
  }, [focus, tab, form])

  const { offer } = draft
  const title = campaign?.name ?? t('newCampaign')
  const formBase = useMemo(
    () => ({
      campaign,
      type: typeof base === 'string' ? base : base.bidding_strategy.type,
      readOnly: !canWrite || archived,
      currency,
      zone,
      tabs,
      uploads,
    }),
    [campaign, base, canWrite, archived, currency, zone, tabs, uploads],
  )
  const markOf = useCallback((name: string) => (isReviewedField(campaign, name) ? <ReviewedMark key="mark" /> : null), [campaign])
  const kit = useCampaignKit(form, formBase.readOnly, currency, markOf)
  const faultyTabs = [...new Set(found.items.filter(stillWrong).map((item) => item.tab))].join(' ')
  const faulty = useMemo(() => new Set(faultyTabs.split(' ')), [faultyTabs])
  // Corrected fields are no longer listed. Errors without a field stay until the next attempt.
  function stillWrong({ field }: SummaryItem) {
    return field === null || get(errors, field) !== undefined
  }
  return (
    <CampaignFormContext value={form}>
      <FormKitContext value={kit}>
        <FormBaseContext value={formBase}>
          <div className="flex min-h-[calc(100dvh-var(--title-bar,0px))] flex-col">
            <Page
              title={title}
              breadcrumb={[
                <Link key="list" to="/campaigns">
                  {t('common:nav.campaigns')}
                </Link>,
              ]}
              {...(campaign === null
                ? {}
                : {
                    description: <CampaignAbout campaign={campaign} status={past} />,
                    actions: past ? undefined : <CampaignActions campaign={campaign} page="form" />,
                  })}
              className="w-full max-w-[1120px] grow gap-5 2xl:mx-auto"
            >
              <form
                noValidate
                aria-label={title}
                onSubmit={(event) => {
                  event.preventDefault()
                  if (uploading === 0 && canWrite && !archived) submit('next')
                }}
                className="flex flex-col gap-5"
              >
                {offer !== null && (
                  <DraftOffer
                    draft={offer}
                    onContinue={() => answerOffer(() => continueDraft(offer))}
                    onStartAnew={() => answerOffer(draft.startAnew)}
                  />
                )}
                {header}
                {archived && !past && <ArchivedNotice id={campaign.id} mayWrite={canWrite} />}
                <div className="flex items-start gap-8 max-lg:flex-col max-lg:items-stretch max-lg:gap-5">
                  <Later before={<div className="shrink-0 max-lg:h-36 lg:w-56" />}>
                    <FormSections tab={tab} context={tabs} faulty={faulty} campaign={campaign} />
                  </Later>
                  <div className="flex min-w-0 grow flex-col gap-4">
                    <ErrorSummary mode={found.mode} items={found.items.filter(stillWrong)} onGo={go} />
                    <div ref={panel} data-arrival tabIndex={-1} className="flex flex-col gap-4 outline-none">
                      <TabContent tab={tab} changeLog={changeLog} />
                    </div>
                  </div>
                </div>
              </form>
            </Page>
            {tab !== 'changeLog' && canWrite && !archived && (
              <Later>
                <FormFooter
                  last={nextTab(tab, tabs) === null}
                  pending={checking ? 'publish' : pending}
                  waiting={waiting}
                  onStopWaiting={stopWaiting}
                  notice={
                    takeNewer !== null &&
                    typeof basis !== 'string' && <NewerNotice base={basis} onCompare={() => setComparing(true)} />
                  }
                  uploading={uploading}
                  onCancel={() => router.history.push(returnPath())}
                  onSave={() => submit('save')}
                  onSaveNext={() => submit('next')}
                  onPublish={() => submit('publish')}
                />
              </Later>
            )}
          </div>
          {takeNewer !== null && <NewerVersion onTake={takeNewer} />}
          <LeaveGuard uploading={uploading > 0} saved={saved} kept={keeps ? (campaign === null ? 'campaign' : 'edits') : null} />
          {review !== null && (
            <Suspense>
              <ReviewSheet review={review} onGo={go} />
            </Suspense>
          )}
          {(stale !== null || comparing) && typeof basis !== 'string' && (
            <Suspense>
              <MergeDialog
                base={basis}
                mine={form.getValues()}
                saves={stale !== null}
                onCancel={endMerge}
                onMerge={({ newest, values }) => {
                  endMerge()
                  goOnFrom(newest, values)
                  if (stale !== null) submit(stale, newest)
                }}
              />
            </Suspense>
          )}
        </FormBaseContext>
      </FormKitContext>
    </CampaignFormContext>
  )
}
