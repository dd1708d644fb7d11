//! The fields of a time and the ways between them and seconds since the epoch.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::lang::raise::{Fallible, overflow_error, value_error};

pub(super) const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Which zone's clock a time is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Utc,
    Local,
}

/// A broken-down time, as `struct_time` has it: months and days of the year from 1, weekdays from Monday = 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    pub(super) weekday: i64,
    pub(super) year_day: i64,
    pub(super) is_summer: i64,
    pub(super) zone: Option<String>,
    pub(super) offset_seconds: Option<i64>,
}

impl Fields {
    /// The time at seconds since the epoch.
    pub(super) fn at(seconds: i64, zone: Zone) -> Fallible<Self> {
        let Ok(timestamp) = Timestamp::from_second(seconds) else {
            return Err(overflow_error("timestamp out of range for platform time_t"));
        };
        let (tz, name) = match zone {
            Zone::Utc => (TimeZone::UTC, Some("GMT".to_owned())),
            Zone::Local => (TimeZone::system(), None),
        };
        let info = tz.to_offset_info(timestamp);
        let civil = info.offset().to_datetime(timestamp);
        Ok(Self {
            is_summer: i64::from(info.dst().is_dst()),
            zone: Some(name.unwrap_or_else(|| info.abbreviation().to_owned())),
            offset_seconds: Some(info.offset().seconds().into()),
            ..Self::from_civil(civil)
        })
    }

    /// The fields of a date and a time of day.
    pub(super) fn from_civil(civil: DateTime) -> Self {
        Self {
            year: civil.year().into(),
            month: civil.month().into(),
            day: civil.day().into(),
            hour: civil.hour().into(),
            minute: civil.minute().into(),
            second: civil.second().into(),
            weekday: civil.weekday().to_monday_zero_offset().into(),
            year_day: civil.day_of_year().into(),
            ..Self::default()
        }
    }

    /// The fields of a tuple of nine.
    pub(super) fn from_items(items: [i64; 9]) -> Self {
        let [year, month, day, hour, minute, second, weekday, year_day, is_summer] = items;
        Self { year, month, day, hour, minute, second, weekday, year_day, is_summer, zone: None, offset_seconds: None }
    }

    /// Raises for fields that `strftime` and `asctime` refuse; zero counts as one for months and days, as in CPython.
    pub(super) fn check(&self) -> Fallible<()> {
        let in_range = |value: i64, low: i64, high: i64, message: &str| {
            if (low..=high).contains(&value) { Ok(()) } else { Err(value_error(message)) }
        };
        in_range(self.month, 0, 12, "month out of range")?;
        in_range(self.day, 0, 31, "day of month out of range")?;
        in_range(self.hour, 0, 23, "hour out of range")?;
        in_range(self.minute, 0, 59, "minute out of range")?;
        in_range(self.second, 0, 61, "seconds out of range")?;
        in_range(self.weekday, -1, i64::MAX, "day of week out of range")?;
        in_range(self.year_day, 0, 366, "day of year out of range")
    }

    /// `Sat Jun  6 16:26:11 1998`
    pub(super) fn ascii(&self) -> String {
        format!(
            "{} {} {:2} {:02}:{:02}:{:02} {}",
            &self.weekday_name()[..3],
            &self.month_name()[..3],
            self.day.max(1),
            self.hour,
            self.minute,
            self.second,
            self.year
        )
    }

    pub(super) fn weekday_name(&self) -> &'static str {
        DAYS[self.weekday.rem_euclid(7) as usize]
    }

    pub(super) fn month_name(&self) -> &'static str {
        MONTHS[(self.month.clamp(1, 12) - 1) as usize]
    }

    /// The date, where there is one.
    pub(super) fn date(&self) -> Option<Date> {
        Date::new(
            i16::try_from(self.year).ok()?,
            i8::try_from(self.month.max(1)).ok()?,
            i8::try_from(self.day.max(1)).ok()?,
        )
        .ok()
    }

    /// Seconds since the epoch of this local time; fields beyond their range carry over, as the C library does it.
    pub(super) fn to_epoch(&self) -> Option<i64> {
        let months = self.year.checked_mul(12)?.checked_add(self.month - 1)?;
        let first =
            Date::new(i16::try_from(months.div_euclid(12)).ok()?, i8::try_from(months.rem_euclid(12) + 1).ok()?, 1)
                .ok()?;
        let day = first.checked_add(jiff::Span::new().try_days(self.day - 1).ok()?).ok()?;
        let midnight = days_since_epoch(day).checked_mul(86_400)?;
        let local = midnight
            .checked_add(self.hour.checked_mul(3600)?)?
            .checked_add(self.minute.checked_mul(60)?)?
            .checked_add(self.second)?;
        let civil = jiff::tz::Offset::UTC.to_datetime(Timestamp::from_second(local).ok()?);
        let zoned = civil.to_zoned(TimeZone::system()).ok()?;
        Some(zoned.timestamp().as_second())
    }
}

fn days_since_epoch(date: Date) -> i64 {
    let zoned = date.at(0, 0, 0, 0).to_zoned(TimeZone::UTC);
    zoned.map_or(0, |zoned| zoned.timestamp().as_second().div_euclid(86_400))
}

/// What `time.timezone`, `altzone`, `daylight` and `tzname` say.
pub(super) struct ZoneNames {
    pub(super) standard: String,
    pub(super) summer: String,
    pub(super) standard_west: i64,
    pub(super) summer_west: i64,
    pub(super) has_summer: bool,
}

/// The local zone's names, found from a day in January and one in July.
pub(super) fn zone_names() -> ZoneNames {
    let tz = TimeZone::system();
    let year = Timestamp::now().to_zoned(TimeZone::UTC).year();
    let at = |month| {
        let civil = jiff::civil::date(year, month, 1).at(0, 0, 0, 0);
        let timestamp = civil.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp());
        let info = tz.to_offset_info(timestamp);
        (i64::from(info.offset().seconds()), info.abbreviation().to_owned(), info.dst().is_dst())
    };
    let (january, july) = (at(1), at(7));
    let (standard, summer) = if january.2 { (july, january) } else { (january, july) };
    ZoneNames {
        standard_west: -standard.0,
        summer_west: -summer.0,
        has_summer: standard.0 != summer.0,
        standard: standard.1,
        summer: summer.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_break_down_in_utc() {
        let fields = Fields::at(1_000_000_000, Zone::Utc).expect("in range");
        assert_eq!(fields.ascii(), "Sun Sep  9 01:46:40 2001");
        assert_eq!(fields.year_day, 252);
        assert_eq!(fields.zone.as_deref(), Some("GMT"));
    }

    #[test]
    fn fields_beyond_their_range_are_refused_or_carried() {
        assert!(Fields::from_items([2020, 13, 1, 0, 0, 0, 0, 1, 0]).check().is_err());
        let carried = Fields::from_items([2020, 13, 32, 0, 0, 0, 0, 1, -1]).to_epoch();
        let plain = Fields::from_items([2021, 2, 1, 0, 0, 0, 0, 1, -1]).to_epoch();
        assert_eq!(carried, plain);
        assert!(plain.is_some());
    }
}
