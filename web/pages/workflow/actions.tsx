import { useSignal } from '@preact/signals'
import { count } from '../../../src/model/count.ts'
import { act } from '../../api.ts'
import { mayAct, maySubmit } from '../../me.ts'
import { Command } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type { WorkflowNow } from './read.ts'

type Asking = 'cancel' | 'resume' | 'export' | null

/** What can be done: cancelled while it runs, resumed while something is left, exported always. Each is asked about first. */
export function Actions({ workflow }: { readonly workflow: WorkflowNow }) {
  const asking = useSignal<Asking>(null)
  const told = useSignal<{ readonly text: string; readonly isBad: boolean } | null>(null)
  const isBusy = useSignal(false)
  const { path, progress } = workflow
  const left = progress.total - (progress.states.success ?? 0)
  const close = (): void => {
    asking.value = null
  }
  const carryOut = async (what: () => Promise<string>): Promise<void> => {
    isBusy.value = true
    close()
    try {
      told.value = { text: await what(), isBad: false }
    } catch (error) {
      told.value = { text: error instanceof Error ? error.message : String(error), isBad: true }
    }
    isBusy.value = false
  }
  return (
    <div class="actions">
      {told.value !== null && (
        <span
          class={told.value.isBad ? 'bad' : 'quiet'}
          role={told.value.isBad ? 'alert' : 'status'}
        >
          {told.value.text}
        </span>
      )}
      <button type="button" onClick={() => (asking.value = 'export')}>
        Export
      </button>
      {mayAct() && progress.is_being_run && (
        <button type="button" disabled={isBusy.value} onClick={() => (asking.value = 'cancel')}>
          Cancel
        </button>
      )}
      {mayAct() && !progress.is_being_run && left > 0 && (
        <button
          type="button"
          class={maySubmit() ? 'strong-button' : undefined}
          disabled={isBusy.value}
          title={maySubmit() ? undefined : 'This server starts nothing: shows the command to type'}
          onClick={() => (asking.value = 'resume')}
        >
          {progress.run_id === null ? 'Run' : 'Resume'}
          {maySubmit() ? '' : ' in a terminal'}
        </button>
      )}
      <CancelDialog
        workflow={workflow}
        isOpen={asking.value === 'cancel'}
        close={close}
        cancel={() => void carryOut(() => cancel(path))}
      />
      <ResumeDialog
        workflow={workflow}
        left={left}
        isOpen={asking.value === 'resume'}
        close={close}
        resume={() => void carryOut(() => resume(path))}
      />
      <ExportDialog workflow={workflow} isOpen={asking.value === 'export'} close={close} />
    </div>
  )
}

interface Cancelled {
  readonly jobs_cancelled: number
  readonly processes_ended: readonly number[]
}

async function cancel(path: string): Promise<string> {
  const { jobs_cancelled: jobs, processes_ended: ended } = await act<Cancelled>(`${path}/cancel`)
  const processes =
    ended.length === 0 ? '' : `, ${count(ended.length, 'process', 'processes')} ended`
  return `Cancelled: ${count(jobs, 'job')}${processes}`
}

async function resume(path: string): Promise<string> {
  const { pid } = await act<{ readonly pid: number }>(`${path}/resume`)
  return `Started by process ${pid}`
}

interface Asked {
  readonly workflow: WorkflowNow
  readonly isOpen: boolean
  readonly close: () => void
}

function CancelDialog({
  workflow: { head, progress },
  isOpen,
  close,
  cancel: go,
}: Asked & { readonly cancel: () => void }) {
  return (
    <Dialog id="cancel" title={`Cancel ${head.name}?`} isOpen={isOpen} close={close}>
      <p>
        {count(progress.running, 'running job')} will be ended, and{' '}
        {count(progress.states.waiting ?? 0, 'waiting job')} will not start. What succeeded stays,
        and the rest can be resumed later.
      </p>
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          Let it run
        </button>
        <button type="button" class="bad-button" onClick={go}>
          Cancel it
        </button>
      </div>
    </Dialog>
  )
}

function ResumeDialog({
  workflow: { id, head, progress },
  left,
  isOpen,
  close,
  resume: go,
}: Asked & { readonly left: number; readonly resume: () => void }) {
  const verb = progress.run_id === null ? 'Run' : 'Resume'
  return (
    <Dialog id="resume" title={`${verb} ${head.name}?`} isOpen={isOpen} close={close}>
      <p>
        {count(left, 'job')} will run
        {progress.run_id === null ? '' : ' again, or for the first time'}. What succeeded is not
        repeated.
      </p>
      {maySubmit() ? (
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            Not now
          </button>
          <button type="button" class="strong-button" onClick={go}>
            {verb} it
          </button>
        </div>
      ) : (
        <>
          <p class="quiet">
            This server starts nothing itself, unless its configuration says so (
            <code>submit: true</code> under <code>actions</code>). In a terminal:
          </p>
          <Command text={`jobmeter run --resume ${id}`} />
          <div class="dialog-actions">
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

const files = [
  ['report', 'Report data'],
  ['results', 'Results'],
  ['jobs', 'Jobs'],
  ['utilization', 'Utilization'],
  ['recommendations', 'Recommendations'],
] as const

const ExportDialog = ({ workflow: { id, path, head }, isOpen, close }: Asked) => (
  <Dialog id="export" title="Export" isOpen={isOpen} close={close}>
    <p>One page that shows all of this without a server, to keep or to send:</p>
    <Command text={`jobmeter report ${id} -o report.html`} />
    <p>As JSON:</p>
    <ul class="export-list">
      {files.map(([file, name]) => (
        <li key={file}>
          <a href={`/api/v1${path}/${file}`} download={`${head.name}-${file}.json`}>
            {name}
          </a>
        </li>
      ))}
    </ul>
    <div class="dialog-actions">
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  </Dialog>
)
