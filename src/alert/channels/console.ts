import type { AlertNotice } from '../../model/alert.ts'
import { noticeLine } from '../notice-words.ts'

/** What a terminal shows of an alert. */
export const consoleLine = (notice: AlertNotice): string => `alert ${noticeLine(notice)}`
