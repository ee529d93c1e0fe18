"""The three charts of a credit report as figures; amounts are micro-credits, shown as credits."""

from haozhi.reports.charts.earned import earned_chart
from haozhi.reports.charts.figure import Figure
from haozhi.reports.charts.shares import shares_chart
from haozhi.reports.charts.waterfall import waterfall_chart

__all__ = ["Figure", "earned_chart", "shares_chart", "waterfall_chart"]
