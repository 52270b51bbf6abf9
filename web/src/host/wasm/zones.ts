/** Time zones by name, from the browser's own data. */

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Seconds east of UTC of a named zone at a moment, to the second; null for an unknown name. */
export function zoneOffsetSeconds(zone: string, epochSeconds: number): number | null {
  const format = formatOf(zone);
  const moment = new Date(epochSeconds * 1000);
  if (format === null || Number.isNaN(moment.getTime())) return null;
  const fields: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(moment)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const local = Date.UTC(2000, month - 1, day, hour, minute, second);
  // Date.UTC takes years below 100 for those of the 20th century; setUTCFullYear does not.
  return (new Date(local).setUTCFullYear(year, month - 1, day) - moment.getTime()) / 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  let format = formats.get(zone);
  if (format === undefined) {
    format = newFormat(zone);
    formats.set(zone, format);
  }
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}
