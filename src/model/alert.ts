/** From the least to the most urgent. */
export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** What a rule looks at: each job, each GPU of a job, or the machine, whatever jobs run on it. */
export const alertScopes = ['job', 'gpu', 'machine'] as const
export type AlertScope = (typeof alertScopes)[number]

export interface AlertSubject {
  readonly host: string
  /** null if the alert is about the machine. */
  readonly job: string | null
  /** The attempt that was looked at. */
  readonly taskId: string
  /** Such as `0`; null if the alert is not about one GPU. */
  readonly gpu: string | null
}

interface AlertFacts {
  /** The same for firing and resolved. */
  readonly alertId: string
  readonly rule: string
  readonly severity: Severity
  readonly subject: AlertSubject
  /** What is wrong, or why it is over, in one sentence without a full stop. */
  readonly text: string
  readonly metric: string
  readonly value: number | null
  /** null for rules that compare with what is usual. */
  readonly threshold: number | null
  /** Seconds since 1970. */
  readonly firedAt: number
}

/** That an alert fires, or that it is over. */
export interface AlertNotice extends AlertFacts {
  /** The same at every delivery, so that whoever gets it twice can tell. */
  readonly id: string
  readonly kind: 'firing' | 'resolved'
  /** Seconds since 1970. */
  readonly at: number
}

/** An alert as `alerts list` shows it. */
export interface ListedAlert extends AlertFacts {
  /** null while it fires. */
  readonly resolvedAt: number | null
  readonly resolvedBecause: string | null
  /** When somebody took note of it, and who; null if nobody did. */
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
  readonly deliveries: readonly ListedDelivery[]
}

export interface ListedDelivery {
  readonly channel: string
  readonly kind: AlertNotice['kind']
  readonly state: 'waiting' | 'delivered' | 'given up'
  readonly attempts: number
  readonly lastError: string | null
}

/** Seconds to wait for others that fire, how often to say something, and how to try again. */
export interface DeliveryPace {
  readonly groupSeconds: number
  /** At most so many messages in that time. */
  readonly mostMessages: number
  readonly perSeconds: number
  readonly firstRetrySeconds: number
  readonly longestRetrySeconds: number
  readonly giveUpSeconds: number
}
